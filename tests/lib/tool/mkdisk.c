/**
 * mkdisk FILE WORD...: makes the sparse disk image that the words describe, by disks.h.
 */
#include "disks.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char words[16384] = "";
	size_t used = 0;
	if (argc < 3) {
		fputs("usage: mkdisk FILE PRESET|SECTORS SECTOR_SIZE dos ID|gpt GUID|none "
		      "[WORD]...\n",
		      stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		size_t n = strlen(argv[i]);
		if (used + n + 2 > sizeof(words)) {
			fputs("mkdisk: too many words\n", stderr);
			return 2;
		}
		memcpy(words + used, argv[i], n);
		used += n;
		words[used++] = ' ';
		words[used] = '\0';
	}
	disk_make(argv[1], words);
	return 0;
}

/** folder.h - the temporary folder of a test. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

/** Removes a folder and all that is in it; 0, or -1 if something stayed. */
int folder_remove(const char *root);
#endif

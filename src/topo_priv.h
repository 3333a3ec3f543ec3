/** topo_priv.h - what the files of the topo room share. */
#ifndef AFDISK_TOPO_PRIV_H
#define AFDISK_TOPO_PRIV_H
#include "afdisk/units.h"

/** The physical sector that drives of this model are known to have, whatever they say, in bytes; 0 if nothing is known. */
af_bytes af_topo_quirk(const char *model);
#endif

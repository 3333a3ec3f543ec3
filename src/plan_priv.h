/** plan_priv.h - what the files of the plan room share. */
#ifndef AFDISK_PLAN_PRIV_H
#define AFDISK_PLAN_PRIV_H
#include "afdisk/plan.h"
#include "afdisk/text.h"

/** Adds a step to the plan. Takes the sentence; what does not fit is cut between characters. */
void af_plan_add(struct af_plan *plan, const char *word, uint32_t partition,
		 struct af_text *sentence);

/** Adds the step that makes the copies of a GPT whole, if they are so in now only. */
void af_plan_repair(const struct af_layout *base, const struct af_layout *now,
		    struct af_plan *plan);

/** Appends what a person may not expect of the changes in plan: steps that do nothing. */
void af_plan_warn(const struct af_layout *base, const struct af_layout *now,
		  const struct af_plan_words *words, struct af_plan *plan);

/** Adds the step that changes the identifier of a table that stays, and who looks for the disk by that; nothing if it stays. */
void af_plan_id(const struct af_layout *base, const struct af_layout *now,
		const struct af_plan_words *words, struct af_plan *plan);

/** Appends what becomes of a hybrid MBR and its entries. */
void af_plan_hybrid(const struct af_layout *base, const struct af_layout *now,
		    const char *dev_name, struct af_plan *plan);
#endif

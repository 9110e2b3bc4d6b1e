-- How the author of a payment wants it spread over the plans he was offered: [{ "planId", "amount" }], 0 for none. Null: as it comes.
alter table payment add column chosen_shares jsonb;

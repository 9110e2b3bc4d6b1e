-- Whether a change counts in the sums was asked of every change, by a function that is read and parsed for each statement: a quarter of what
-- the summary of a follow-up cost in its customer. Now it is asked where a column changes that `crm_stat_of` reads.
create or replace trigger stat_day_changed after update of deleted_at, first_owner_id, created_at on customer for each row
  when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day();
create or replace trigger stat_day_changed after update of deleted_at, owner_id, created_at on bussiness for each row
  when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day();
create or replace trigger stat_day_changed after update of deleted_at, source, author_id, followed_at on follow for each row
  when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day();
create or replace trigger stat_day_changed after update of deleted_at, approval_status, owner_id, sign_date, revision_of, stat_amount on contract
  for each row when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day();
create or replace trigger stat_day_changed after update of deleted_at, approval_status, owner_id, paid_at, reverses_id, amount on payment
  for each row when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day();

-- An approver asks the submitter something before he decides, and is answered.
alter table approval_act drop constraint approval_act_action_check;
alter table approval_act add constraint approval_act_action_check check (action in
  ('submit', 'approve', 'reject', 'transfer', 'addSign', 'withdraw', 'pass', 'delegate', 'reassign', 'urge', 'ask', 'reply'));

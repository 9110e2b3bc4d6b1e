-- 前加签: a signer who is asked before the one who brings him in.
alter table approval_act drop constraint approval_act_action_check;
alter table approval_act add constraint approval_act_action_check check (action in
  ('submit', 'approve', 'reject', 'transfer', 'addSign', 'addSignBefore', 'withdraw', 'pass', 'delegate', 'reassign', 'urge', 'ask', 'reply'));

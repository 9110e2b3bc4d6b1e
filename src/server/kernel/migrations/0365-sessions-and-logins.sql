-- A session that went over into another (a change of tenant) ends soon and is never renewed.
alter table session add column handed_over boolean not null default false;
create index session_ended on session (revoked_at) where revoked_at is not null;
create index session_expires on session (expires_at);
create index captcha_expires on captcha (expires_at);
create index login_failure_age on login_failure (updated_at);

-- A login belongs to the person. Whoever works for another tenant, too, changes mobile and mail by himself: no administrator of one
-- tenant takes or closes the account of another's people.
create or replace function crm_change_login(person text, new_mobile text, new_email text)
returns text language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from membership where tenant_id = current_setting('app.tenant', true) and user_id = person) then
    return 'person';
  end if;
  if person <> current_setting('app.caller', true) and exists (select 1 from membership
      where tenant_id <> current_setting('app.tenant', true) and user_id = person and status <> 'left' and deleted_at is null) then
    return 'elsewhere';
  end if;
  if new_mobile is not null and exists (select 1 from app_user where mobile = new_mobile and id <> person) then
    return 'mobile';
  end if;
  update app_user set mobile = new_mobile, email = new_email, updated_at = now() where id = person;
  return null;
end $$;

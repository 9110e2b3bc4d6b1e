-- What the application may do to logins, which it cannot read: each function looks at app.tenant itself, so that one tenant
-- never reaches another's people. They answer null, or why not.

-- Makes a login for a new colleague.
create function crm_new_login(new_id text, new_account text, new_mobile text, new_email text, hash text)
returns text language plpgsql security definer set search_path = public as $$
begin
  insert into app_user (id, account, mobile, email, password_hash, must_change_password)
    values (new_id, new_account, new_mobile, new_email, hash, true) on conflict do nothing;
  if found then
    return null;
  end if;
  return case when exists (select 1 from app_user where account = new_account) then 'account' else 'mobile' end;
end $$;

-- Changes mobile and mail of a person by which he signs in.
create function crm_change_login(person text, new_mobile text, new_email text)
returns text language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from membership where tenant_id = current_setting('app.tenant', true) and user_id = person) then
    return 'person';
  end if;
  if new_mobile is not null and exists (select 1 from app_user where mobile = new_mobile and id <> person) then
    return 'mobile';
  end if;
  update app_user set mobile = new_mobile, email = new_email, updated_at = now() where id = person;
  return null;
end $$;

-- A new password, to be changed at the next login; only for a person who works for no other tenant.
create function crm_reset_login(person text, hash text)
returns text language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from membership where tenant_id = current_setting('app.tenant', true) and user_id = person) then
    return 'person';
  end if;
  if exists (select 1 from membership where tenant_id <> current_setting('app.tenant', true) and user_id = person
      and status <> 'left' and deleted_at is null) then
    return 'elsewhere';
  end if;
  update app_user set password_history = (jsonb_build_array(password_hash) || password_history) #- '{3}',
    password_hash = hash, password_changed_at = now(), must_change_password = true, updated_at = now() where id = person;
  update session set revoked_at = now(), revoked_reason = 'password' where user_id = person and revoked_at is null;
  delete from login_failure f using app_user u where u.id = person and f.account = u.account;
  return null;
end $$;

-- Ends a person's sessions in this tenant; of other tenants they stay.
create function crm_end_sessions(person text)
returns void language plpgsql security definer set search_path = public as $$
begin
  update session set revoked_at = now(), revoked_reason = 'disabled'
    where user_id = person and tenant_id = current_setting('app.tenant', true) and revoked_at is null;
end $$;

-- The account of a colleague.
create function crm_account_of(person text)
returns text language sql stable security definer set search_path = public as $$
  select u.account from app_user u join membership m on m.user_id = u.id
    where m.tenant_id = current_setting('app.tenant', true) and u.id = person $$;

revoke all on function crm_new_login(text, text, text, text, text), crm_change_login(text, text, text),
  crm_reset_login(text, text), crm_end_sessions(text), crm_account_of(text) from public;
grant execute on function crm_new_login(text, text, text, text, text), crm_change_login(text, text, text),
  crm_reset_login(text, text), crm_end_sessions(text), crm_account_of(text) to crm_app, crm_system;

create index audit_log_at on audit_log (tenant_id, at desc, id desc);

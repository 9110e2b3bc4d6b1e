create index session_by_device on session (user_id, device_id);

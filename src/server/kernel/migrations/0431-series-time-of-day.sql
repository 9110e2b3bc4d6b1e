-- The time of day on which a series is due, in milliseconds of the tenant's clock: a day whose clock leaves it out moves one of the series,
-- not those behind it. Null: series from before; the time of the one that is done.
alter table todo add column repeat_ms int check (repeat_ms between 0 and 86399999);

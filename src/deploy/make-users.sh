#!/bin/sh
# Makes the database and its two users: crm_owner migrates, crm_serve serves and owns nothing.
# Run by the image of PostgreSQL at its first start; by hand: OWNER_PASSWORD=… SERVE_PASSWORD=… PGUSER=postgres sh make-users.sh
set -eu
psql -v ON_ERROR_STOP=1 -v owner_password="$OWNER_PASSWORD" -v serve_password="$SERVE_PASSWORD" --dbname postgres <<'SQL'
create role crm_owner login createrole password :'owner_password';
create role crm_serve login password :'serve_password';
create database crm owner crm_owner encoding 'UTF8' template template0;
SQL

-- As database.sql, for sites that give no role the right to create roles. As an administrator:
--   psql --dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$(openssl rand -hex 24)" --file=deploy/database-without-createrole.sql

create role matricula login password :'password';

-- The server works as this role, which owns no table and can only insert ledger facts. It cannot create the role itself here.
create role matricula_app nologin;
grant matricula_app to matricula;

create database matricula owner matricula encoding 'UTF8' template template0;

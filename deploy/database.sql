-- As an administrator of PostgreSQL 15 or later:
--   psql --dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$(openssl rand -hex 24)" --file=deploy/database.sql
-- The value of DATABASE_URL is then postgres://matricula:<password>@<host>:5432/matricula

-- createrole lets the server create matricula_app and work as it: that role owns no table and can only insert ledger facts.
create role matricula login createrole password :'password';

-- template0, because template1 may have another encoding.
create database matricula owner matricula encoding 'UTF8' template template0;

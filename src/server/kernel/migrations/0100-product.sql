-- Product 产品 (CRM 1.9). Its category is a value of the dictionary product_category.
create table product (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null check (char_length(name) between 1 and 100),
  product_no text not null check (char_length(product_no) between 1 and 40),
  category_id text not null,
  -- The category with all above it, from the root down.
  category_path text[] not null default '{}',
  unit text not null,
  price numeric(14, 2) not null check (price >= 0),
  cost numeric(14, 2) check (cost >= 0),
  min_price numeric(14, 2) check (min_price >= 0),
  tax_rate text,
  spec text check (char_length(spec) <= 200),
  images jsonb not null default '[]' check (jsonb_array_length(images) <= 9),
  detail text check (char_length(detail) <= 20000),
  sort int not null default 0,
  status smallint not null default 1 check (status in (0, 1)),
  name_norm text not null,
  search_text text not null,
  search_tokens text[] not null,
  py text collate "C" not null,
  py_initial text collate "C" not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id)
);
create unique index product_no_once on product (tenant_id, product_no) where deleted_at is null;
create index product_sorted on product (tenant_id, sort, id) where deleted_at is null;
create index product_priced on product (tenant_id, price, id) where deleted_at is null;
create index product_category on product using gin (category_path);
create index product_tokens on product using gin (search_tokens);

select crm_guard('product');

-- Who sells a product: the lines of contracts and opportunities are searched by its id.
create index contract_lines on contract using gin (lines jsonb_path_ops);
create index bussiness_lines on bussiness using gin (lines jsonb_path_ops);

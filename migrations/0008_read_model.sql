-- What lists and details are answered from is a read model: the tables say so now.

alter table order_documents rename to order_read_model;
alter table financial_documents rename to financial_read_model;
alter index order_documents_pkey rename to order_read_model_pkey;
alter index financial_documents_pkey rename to financial_read_model_pkey;
alter index financial_documents_by_order rename to financial_read_model_by_order;

/**
 * The id of recorded arrivals is their place in their queue, so one index does what two did: it finds a row, walks a queue by time, and
 * tells pruning how many parties it holds without a look at the rows.
 */
export const arrivalsByPlace = `
drop index arrivals_by_queue;
alter table arrivals drop constraint arrivals_pkey;
update arrivals set
  id = queue_key || '/' || lpad(left_at::text, 15, '0') || '/' || id,
  body = '{"id":' || to_json(queue_key || '/' || lpad(left_at::text, 15, '0') || '/' || id)::text || substr(body, strpos(body, ','));
alter table arrivals drop column queue_key, drop column left_at;
alter table arrivals add primary key (id) include (parties);
`

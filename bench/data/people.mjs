import { FOCUS, LISTED, SEATS, WIDE_ENDEAVOURS, WIDE_USERS } from './shape.mjs';

const LATEST = "'2100-01-01'";

/** Users with their resources and sessions, organizations, endeavours, and the members of both. */
export function peopleSql({ users, organizations, endeavours }) {
  const all = users + WIDE_USERS + 1;
  return [
    `INSERT INTO entities (id, kind, owner_user_id, title)
     SELECT bench.id('usr', n), 'user', bench.id('usr', n), 'Person ' || n FROM generate_series(0, ${all - 1}) n`,
    `INSERT INTO entities (id, kind, owner_user_id, title)
     SELECT bench.id('res', n), 'resource', bench.id('usr', n), 'Person ' || n FROM generate_series(0, ${all - 1}) n`,
    `INSERT INTO resources (id, created_at, updated_at, name, type, capacity_model, capacity_value, skills, user_id)
     SELECT bench.id('res', n), bench.at(n), bench.at(n), 'Person ' || n, 'human', 'hours_per_week', 40,
       ARRAY['skill ' || n % 50], bench.id('usr', n) FROM generate_series(0, ${all - 1}) n`,
    `INSERT INTO users (id, created_at, updated_at, email, name, tier, resource_id, is_admin)
     SELECT bench.id('usr', n), bench.at(n), bench.at(n), 'person' || n || '@bench.example', 'Person ' || n, 3,
       bench.id('res', n), n = ${all - 1} FROM generate_series(0, ${all - 1}) n`,
    `INSERT INTO sessions (id, user_id, created_at, expires_at)
     SELECT bench.id('ses', n), bench.id('usr', n), bench.at(n), ${LATEST} FROM generate_series(0, ${all - 1}) n`,
    `INSERT INTO entities (id, kind, organization_id, title)
     SELECT bench.id('org', n), 'organization', bench.id('org', n), 'Organization ' || n
     FROM generate_series(0, ${organizations - 1}) n`,
    `INSERT INTO organizations (id, created_at, updated_at, name, description, created_by)
     SELECT bench.id('org', n), bench.at(n), bench.at(n), 'Organization ' || n, 'Of people who work together',
       bench.id('res', n * 10 % ${users}) FROM generate_series(0, ${organizations - 1}) n`,
    // Six people each; the first owns it.
    `INSERT INTO organization_resources (organization_id, resource_id, user_id, role, joined_at)
     SELECT bench.id('org', n), bench.id('res', person), bench.id('usr', person),
       CASE seat WHEN 0 THEN 'owner' WHEN 1 THEN 'admin' WHEN 2 THEN 'guest' ELSE 'member' END, bench.at(n)
     FROM generate_series(0, ${organizations - 1}) n, generate_series(0, 5) seat,
       LATERAL (SELECT (n * 10 + seat) % ${users} AS person) who`,
    `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT bench.id('edv', n), 'endeavour', bench.id('edv', n), 'Endeavour ' || n
     FROM generate_series(0, ${endeavours - 1}) n`,
    `INSERT INTO endeavours (id, created_at, updated_at, name, description, status, start_date, created_by)
     SELECT bench.id('edv', n), bench.at(n), bench.at(n), 'Endeavour ' || n, 'Work that belongs together, part ' || n,
       CASE WHEN n >= ${FOCUS} AND n % 20 = 0 THEN 'on_hold' ELSE 'active' END, bench.at(n),
       bench.id('res', n * ${SEATS} % ${users}) FROM generate_series(0, ${endeavours - 1}) n`,
    // Every second endeavour belongs to an organization.
    `INSERT INTO organization_endeavours (organization_id, endeavour_id, linked_at)
     SELECT bench.id('org', n / 2 % ${organizations}), bench.id('edv', n), bench.at(n)
     FROM generate_series(0, ${endeavours - 1}, 2) n`,
    `UPDATE endeavours e SET organization_id = l.organization_id
     FROM organization_endeavours l WHERE l.endeavour_id = e.id`,
    `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role, joined_at)
     SELECT bench.id('edv', n), bench.id('usr', person), bench.id('res', person),
       CASE seat WHEN 0 THEN 'owner' WHEN 1 THEN 'admin' WHEN 2 THEN 'viewer' ELSE 'member' END, bench.at(n)
     FROM generate_series(0, ${endeavours - 1}) n, generate_series(0, ${SEATS - 1}) seat,
       LATERAL (SELECT (n * ${SEATS} + seat) % ${users} AS person) who`,
    `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role, joined_at)
     SELECT bench.id('edv', (w * 6 + place * 4) % ${LISTED}), bench.id('usr', ${users} + w), bench.id('res', ${users} + w),
       'member', bench.at(w)
     FROM generate_series(0, ${WIDE_USERS - 1}) w, generate_series(0, ${WIDE_ENDEAVOURS - 1}) place`,
  ];
}

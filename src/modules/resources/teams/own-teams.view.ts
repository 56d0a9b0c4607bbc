import { wireTime } from '../../../platform/database/views/view.js';

/** A query for the teams of the resource, by id and as JSON: for the export of personal data. */
export const ownTeams = (resource: string): string =>
  `SELECT m.team_id AS id, json_build_object('team_id', m.team_id, 'role', m.role,
      'joined_at', ${wireTime('m.joined_at')}) AS body FROM team_members m WHERE m.resource_id = ${resource}`;

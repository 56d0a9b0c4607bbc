import { personBehind } from '../../../access/visibility/people.view.js';

/** A query for the votes of the resource, as JSON: for the export of personal data. */
export const ownVotes = (resource: string): string =>
  `SELECT json_build_object('entity_id', q.entity_id, 'target', q.target) AS body
    FROM quorum_votes q WHERE q.resource_id = ${resource} ORDER BY q.entity_id, q.target`;

/** SQL: whether there is a vote on the entity that has not lapsed. */
export const isVotedOn = (entity: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL)`;

/** Joins the votes of the team that have not lapsed. */
export const joinVotes = (alias: string, team: string): string =>
  `JOIN quorum_votes ${alias} ON ${alias}.team_id = ${team} AND ${alias}.lapsed_at IS NULL`;

/** SQL: whether the person behind the resource has joined the vote. */
export const hasJoinedVote = (vote: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes own WHERE own.entity_id = ${vote}.entity_id AND own.target = ${vote}.target
    AND own.lapsed_at IS NULL AND ${personBehind('own.resource_id')} = ${personBehind(resource)})`;

/** SQL: whether the person behind the resource has a vote on the entity that has not lapsed. */
export const hasVotedOn = (entity: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL
    AND ${personBehind('v.resource_id')} = ${personBehind(resource)})`;

/** SQL: whether the user manages the agent, a row of users, or administers its organization. */
export const isDirectedBy = (agent: string, me: string): string =>
  `(${agent}.manager_id = ${me} OR ${agent}.agent_of IN (SELECT m.organization_id FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))`;

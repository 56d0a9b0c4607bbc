/** Defects of the evidence of the Definition of Done: rounds, what was asked, and who is whom. */
export const seeds = [
  {
    name: 'evidence of an earlier round of a task counts',
    file: 'src/modules/tasks/task-history.view.ts',
    find: '`(${task}.round_started_at IS NULL OR ${time} > ${task}.round_started_at)`',
    replace: '`(${task}.round_started_at IS NULL OR ${time} IS NOT NULL)`',
    caughtBy: 'test/areas/dod-rounds.spec.ts',
    test: 'does not close a reopened task: reviews',
  },
  {
    name: 'a done task stays met when its content changes',
    edits: [
      {
        file: 'src/modules/tasks/completion/attestation.ts',
        find: '...(isContentChanged && staysDone && restsOnContent(row) &&',
        replace: '...(isContentChanged && staysDone && restsOnContent(row) && row.revision === 0 &&',
      },
      {
        file: 'src/migrations/baseline/functions.sql',
        find: "IF NEW.dod_result IN ('met', 'overridden', 'changed') THEN",
        replace: "IF NEW.dod_result IN ('changed') THEN",
      },
    ],
    caughtBy: 'test/areas/dod-rounds.spec.ts',
    test: 'is changed until a check with new evidence is met, and tells those who approved it',
  },
  {
    name: 'an override counts under another version of the policy',
    file: 'src/modules/dod/results/checks.service.ts',
    find: 'hasOverride(task) && task.dod_override_policy_id === id;',
    replace: "hasOverride(task) && id !== '';",
    caughtBy: 'test/areas/dod-rounds.spec.ts',
    test: 'do not count under a new version that asks something else',
  },
  {
    name: 'an attestation holds for whatever the condition asks',
    file: 'src/modules/tasks/completion/attestation.rules.ts',
    find: 'each.id === id && each.label === label && each.prompt === prompt',
    replace: 'each.id === id && label !== prompt',
    caughtBy: 'test/areas/dod-rounds.spec.ts',
    test: 'do not count under a new version that asks something else',
  },
  {
    name: 'two people become one when an agent is handed over',
    file: 'src/migrations/baseline/functions.sql',
    find: "WHERE a.resource_id = resource AND f.ended_at >= since AND coalesce(f.began_at, '-infinity') <= until $$;",
    replace: `WHERE resource IN (a.resource_id, (SELECT p.resource_id FROM users p WHERE p.id = a.manager_id))
        AND coalesce(since, until) IS NOT NULL $$;`,
    caughtBy: 'test/areas/agents.spec.ts',
    test: 'makes no two people one for ever: a former manager lifts no rejection of the new one',
  },
  {
    name: 'a moved task loses the blockers that it leaves behind',
    file: 'src/modules/relations/task-edges.view.ts',
    find: '(edge_now.is_there OR edge_now.is_parting OR lost.id IS NOT NULL)',
    replace: '(edge_now.is_there OR lost.id IS NOT NULL)',
    caughtBy: 'test/areas/dod-conditions.spec.ts',
    test: 'moves the done task away',
  },
];

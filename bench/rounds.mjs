/** Asks every server in turn, route by route, round after round; the order of the servers moves on with each round. */
export async function rounds({ plan, servers, generator, limits, client, say }) {
  const figures = [];
  for (const step of plan.steps) {
    for (let round = 0; round < step.rounds; round += 1) {
      await settle(client);
      for (const [name, route] of plan.routes) {
        for (const kind of inTurn(route.servers, round)) {
          const measured = await measure(name, kind, step, { servers, generator, limits });
          if (measured === undefined) continue;
          figures.push({ route: name, server: kind, connections: step.connections, round, ...measured });
          say(line(figures.at(-1)));
        }
      }
    }
  }
  return figures;
}

/** What earlier writes left behind is put away, so that it is not measured with what comes next. */
async function settle(client) {
  await client.query('SET statement_timeout = 0');
  await client.query('VACUUM (ANALYZE) tasks, task_statuses, entities, events, comments');
  await client.query('CHECKPOINT');
}

const inTurn = (items, round) => items.map((_, n) => items[(n + round) % items.length]);

function measure(name, kind, { connections, warmUp, seconds, several }, { servers, generator, limits }) {
  if (kind === 'limit') return limits[name]?.measure(connections, seconds);
  if (servers[kind] === undefined || (kind === 'several' && (servers.several.length === 1 || !several)))
    return undefined;
  return generator.run({ name, servers: servers[kind], connections, warmUp, seconds });
}

function line({ route, server, connections, round, rps, p50, p99 }) {
  const times = p50 === undefined ? '' : `  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`;
  return `  ${route.padEnd(10)} ${server.padEnd(8)} ${String(connections).padStart(2)} connections, round ${round + 1}: ${rps.toFixed(0).padStart(6)}/s${times}`;
}

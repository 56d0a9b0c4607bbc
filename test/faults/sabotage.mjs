import { DEFECTS as SEEDS, editsOf } from './sabotage/defects.mjs';
import { plan } from './sabotage/steady.mjs';
import { copyProject } from './support/project-copy.mjs';

export const title = 'Applies one defect after the other to a copy of the service, and checks that its tests catch it.';

/**
 * A defect is caught if the test named for it fails and another test passes: if no test passes, or a file cannot be
 * loaded, the defect has only broken the program. A named test that hangs can end the run of its file early. Without a
 * defect, all of these tests must pass.
 */
export async function run({ only, say }) {
  const seeds = chosen(only);
  const project = await copyProject();
  // All defects are checked before the first run: a defect that no longer applies proves nothing about the tests.
  const stale = seeds.filter((seed) => !project.canApply(editsOf(seed)));
  stale.forEach(({ name }) => say(`does not apply any more: ${name}`));
  const unsound = await failing(project, seeds);
  const missed = [];
  for (const seed of seeds.filter((each) => !stale.includes(each) && !unsound.includes(each))) {
    const outcome = await project.outcomeOf(editsOf(seed), plan(seed), (found) => isCaught(seed, found));
    if (!isCaught(seed, outcome)) missed.push(seed);
    say(`${SEEDS.indexOf(seed) + 1} ${isCaught(seed, outcome) ? 'caught' : 'MISSED'}: ${seed.name} (${told(outcome)})`);
  }
  unsound.forEach(({ name }) => say(`its test fails without it: ${name}`));
  return figures(seeds, { stale, unsound, missed });
}

/** The defects whose tests do not pass even without a defect; runs each file once. */
async function failing(project, seeds) {
  const unsound = [];
  for (const file of new Set(seeds.map(({ caughtBy }) => caughtBy))) {
    const those = seeds.filter(({ caughtBy }) => caughtBy === file);
    const plans = those.map(plan);
    const [{ files }] = plans;
    const tests = [...new Set(plans.flatMap((each) => each.tests ?? []))];
    const outcome = await project.outcomeOf([], { files, tests }, isSound);
    if (!isSound(outcome)) unsound.push(...those);
  }
  return unsound;
}

const isSound = ({ passed, failed, unloaded }) => failed.length === 0 && passed > 0 && unloaded === 0;

const isCaught = ({ test }, { passed, failed, unloaded }) =>
  passed > 0 && (test === undefined ? unloaded === 0 && failed.length > 0 : failed.some((name) => name.includes(test)));

const told = ({ passed, failed, unloaded, seconds }) =>
  `${failed.length} failed, ${passed} passed${unloaded > 0 ? ', NOT LOADED' : ''}, ${seconds} s; ${failed[0] ?? ''}`;

function chosen(only) {
  if (only === undefined) return SEEDS;
  const range = /^(\d+)-(\d+)$/.exec(only);
  const seeds = range
    ? SEEDS.slice(Number(range[1]) - 1, Number(range[2]))
    : SEEDS.filter(({ name }) => only.split(',').some((word) => name.includes(word)));
  if (seeds.length === 0) throw new Error(`there is no defect ${only}`);
  return seeds;
}

function figures(seeds, { stale, unsound, missed }) {
  const none = (figure, found) => ({ figure, reached: found.length, bar: '0', passed: found.length === 0 });
  const caught = seeds.length - new Set([...stale, ...unsound, ...missed]).size;
  return [
    {
      figure: 'defects caught',
      reached: `${caught} of ${seeds.length}`,
      bar: `${seeds.length} of ${seeds.length}`,
      passed: caught === seeds.length,
    },
    none('defects that no longer apply', stale),
    none('defects whose tests fail without them', unsound),
  ];
}

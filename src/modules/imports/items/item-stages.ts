import type { ImportItem } from '../reading/import-format.js';
import { quoted, type Reading } from '../reading/reading.js';

/**
 * The item in the stage of the endeavour that is called like its column or state in the file. The status decides: a stage of
 * another one is left out, and so is a name that is no stage, each with a note.
 */
export function withKnownStage(item: ImportItem | undefined, reading: Reading): ImportItem | undefined {
  if (item?.stage === undefined) return item;
  const { stage: named, ...others } = item;
  if (!reading.hasStages) return others;
  const { status = 'planned' } = item;
  const stage = reading.stage(named);
  if (stage !== undefined && stage.status === item.status) return { ...others, stage: stage.name };
  if (stage !== undefined) {
    const message = `is a stage of ${stage.status} tasks, and the task is ${status}; the stage follows from the status`;
    reading.note('value', 'stage', `${quoted(stage.name)} ${message}`);
  } else if (status !== 'canceled' && reading.hasStageOf(status)) {
    reading.note(
      'value',
      'stage',
      `${quoted(named.trim())} is no stage of the endeavour; the stage follows from the status`,
    );
  }
  return others;
}

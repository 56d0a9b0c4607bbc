import { findStage, type Stage } from '../endeavours/stages.js';
import type { ImportItem } from './import-format.js';

/** The item in the stage of the endeavour that is called like its column or state in the file, if it has the status of that stage. */
export function withKnownStage(item: ImportItem | undefined, stages: readonly Stage[] | null): ImportItem | undefined {
  if (item?.stage === undefined) return item;
  const { stage: named, ...others } = item;
  const stage = findStage(stages, named.trim());
  return stage !== undefined && stage.status === item.status ? { ...others, stage: stage.name } : others;
}

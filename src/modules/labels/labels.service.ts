import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ChildLists } from '../../access/visibility/child-lists.js';
import { invalidField, notFound } from '../../common/errors.js';
import { foldName } from '../../common/texts/fold-name.js';
import type { Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { endeavourView } from '../endeavours/endeavour.view.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import type { UpdateLabelDto } from './label.dto.js';
import { labelList, labelsOfEndeavour } from './label.list.js';
import { areSameLabels, isLabelName, labelsAfter, MAX_LABELS, type SentLabels } from './label.rules.js';
import { LabelsRepository } from './labels.repository.js';

/** Manages the labels of endeavours, and finds those that tasks and demands are given by name. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly access: Access,
    private readonly childLists: ChildLists,
    private readonly endeavours: EndeavoursService,
    private readonly repository: LabelsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, endeavourId: string, query: RawQuery): Promise<Page> {
    return this.childLists.page(me, endeavourId, query, { list: labelList, belongs: labelsOfEndeavour });
  }

  /** Renames a label for all that have it, or merges it into the one that has the name. */
  async rename(
    me: Caller,
    endeavourId: string,
    label: string,
    { name: wanted }: UpdateLabelDto,
  ): Promise<Representation> {
    const { place, ...locked } = await this.endeavours.lockForLabels(me, endeavourId);
    const id = isLabelName(label) ? await this.repository.idOf(endeavourId, label) : undefined;
    if (id === undefined) throw notFound();
    this.access.assertWritable(locked);
    const name = await this.repository.nameOf(id);
    if (wanted === undefined || wanted === name) return this.repository.read(me, id);
    const remaining = await this.repository.rename(id, wanted);
    await this.writer.recordChange(me, endeavourView, endeavourId, place, {
      type: 'endeavour.label_renamed',
      changed: ['labels'],
    });
    return this.repository.read(me, remaining);
  }

  /** The ids of the labels of something new; undefined if it has none. */
  async idsOf(endeavourId: string, names: readonly string[] | undefined): Promise<string[] | undefined> {
    if (names === undefined || names.length === 0) return undefined;
    return this.repository.findOrMake(endeavourId, names);
  }

  /** The same for many; each has the ids of its labels, null if it has none. */
  async idsOfEach(
    endeavourId: string,
    labels: readonly (readonly string[] | undefined)[],
  ): Promise<(string[] | null)[]> {
    const names = [...new Set(labels.flatMap((each) => each ?? []))];
    if (names.length === 0) return labels.map(() => null);
    const ids = await this.repository.findOrMakeEach(endeavourId, names);
    return labels.map((each = []) => {
      const own = new Set(each.flatMap((name) => ids.get(foldName(name)) ?? []));
      return own.size === 0 ? null : [...own].sort();
    });
  }

  /**
   * The names of the labels after a patch; undefined if they stay, null for none. `made` turns them into ids once nothing
   * refuses the patch. Where only the endeavour changes, the database finds the labels of the same names there.
   */
  async changed(
    labels: readonly string[] | null | undefined,
    sent: SentLabels | undefined,
    { isMoved = false } = {},
  ): Promise<string[] | null | undefined> {
    if (sent === undefined) return undefined;
    const current = labels ? await this.repository.namesOf(labels) : [];
    const names = labelsAfter(current, sent);
    if (names.length > MAX_LABELS) {
      throw invalidField(
        'labels',
        'too_long',
        `labels would have ${names.length} items; at most ${MAX_LABELS} are allowed.`,
      );
    }
    if (!isMoved && areSameLabels(current, names)) return undefined;
    return names.length === 0 ? null : names;
  }

  /**
   * Makes the labels of something that moves in the other endeavour. The database does so too, but too late for the
   * statement that moves it to show them.
   */
  async makeElsewhere(endeavourId: string, labels: readonly string[] | null | undefined): Promise<void> {
    if (labels) await this.repository.findOrMake(endeavourId, await this.repository.namesOf(labels));
  }

  /** The ids for the changed names; nothing if they stay. */
  async made(endeavourId: string, { labels }: { labels?: string[] | null }): Promise<{ labels?: string[] }> {
    return labels ? { labels: await this.repository.findOrMake(endeavourId, labels) } : {};
  }
}

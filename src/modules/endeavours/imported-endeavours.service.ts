import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { Representation } from '../../platform/database/views/view.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { CreateEndeavourDto, UpdateEndeavourDto } from './endeavour.dto.js';
import { EndeavoursService } from './endeavours.service.js';

/** Creates endeavours from an import. */
@Injectable()
export class ImportedEndeavours {
  /** Validates a body like POST. */
  readonly read = bodyReaderFor(CreateEndeavourDto, 'create');
  /** Validates a body like PATCH. */
  readonly readChanges = bodyReaderFor(UpdateEndeavourDto, 'patch');

  constructor(private readonly endeavours: EndeavoursService) {}

  create(me: Caller, dto: CreateEndeavourDto): Promise<Representation> {
    return this.endeavours.createWithFreeKey(me, dto);
  }
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { FieldError } from '../../common/errors.js';
import type { JsonRecord } from '../../common/json.js';
import type { Representation } from '../../platform/database/view.js';
import { BodyReader } from '../../platform/http/fields/body-reader.js';
import { CreateEndeavourDto } from './endeavour.dto.js';
import { EndeavoursService } from './endeavours.service.js';

const reader = new BodyReader(CreateEndeavourDto, 'create');

/** Creates endeavours that were made elsewhere. */
@Injectable()
export class ImportedEndeavours {
  constructor(private readonly endeavours: EndeavoursService) {}

  /** What POST would read, and what it would refuse. */
  read(body: JsonRecord): { dto: CreateEndeavourDto; faults: FieldError[] } {
    const faults: FieldError[] = [];
    return { dto: reader.read(body, '', faults, false), faults };
  }

  create(me: Caller, dto: CreateEndeavourDto): Promise<Representation> {
    return this.endeavours.create(me, dto);
  }
}

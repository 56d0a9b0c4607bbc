import type { PipeTransform } from '@nestjs/common';
import { isRecord } from '../../../common/texts/json.js';
import { CreateBody } from '../../../platform/http/bodies/body.pipe.js';
import { ListOf, Int, Keyword } from '../../../platform/http/bodies/fields.js';

export class AlertTermDto {
  @Keyword({ required: true, max: 200, example: 'breach' })
  term: string;

  @Int({ min: 1, max: 10, description: 'Defaults to 1.' })
  weight?: number;
}

export class ReplaceAlertTermsDto {
  @ListOf(AlertTermDto, {
    required: true,
    nullable: true,
    shorthand: 'term',
    max: 100,
    example: [{ term: 'breach' }],
    description: 'The terms, each as an object or as a string. null or an empty list removes all terms.',
  })
  terms: AlertTermDto[];
}

/** Reads `{"terms": [...]}` or the list itself; null for either means an empty list. */
export function AlertTermsBody(): PipeTransform<unknown, ReplaceAlertTermsDto> {
  const pipe = CreateBody(ReplaceAlertTermsDto);
  return {
    transform(body, about) {
      const isBare = body === null || Array.isArray(body);
      const { terms, ...rest } = isBare ? { terms: body } : isRecord(body) ? body : {};
      const sent = isBare || isRecord(body) ? { ...rest, ...(terms !== undefined && { terms: terms ?? [] }) } : body;
      return pipe.transform(sent, about);
    },
  };
}

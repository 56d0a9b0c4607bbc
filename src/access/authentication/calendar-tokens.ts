import { Reflector } from '@nestjs/core';
import type { Caller } from './caller.js';
import type { TokenScope } from '../permissions/token-scope.js';

/** What a token that people create is for: requests within its scopes, or one calendar: of its endeavour, or of its user. */
export const CREATED_TOKEN_KINDS = ['access', 'calendar'] as const;
/** All kinds of tokens: a program of others gets one of the kind `oauth`, for requests within its scopes. */
export const TOKEN_KINDS = [...CREATED_TOKEN_KINDS, 'oauth'] as const;
export type CreatedTokenKind = (typeof CREATED_TOKEN_KINDS)[number];
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The scopes of every calendar token; only the calendar operations accept such tokens. */
export const CALENDAR_SCOPES: readonly TokenScope[] = ['endeavours:read'];

/** Calendar programs cannot renew a token, so each use of one without a set end moves its end to this many days later. */
export const CALENDAR_IDLE_DAYS = 400;

/** Marks a handler that accepts a calendar token in the query parameter `token`: calendar programs send no headers. */
export const AcceptsCalendarToken = Reflector.createDecorator<true>();

/** Whether the caller has a calendar token that does not open the calendar of an endeavour, or not that of the user. */
export const isTokenOfOtherCalendar = (
  { isCalendarToken, containerId }: Pick<Caller, 'isCalendarToken' | 'containerId'>,
  calendar: 'endeavour' | 'own',
): boolean => isCalendarToken === true && (containerId?.startsWith('edv_') === true) !== (calendar === 'endeavour');

import { Reflector } from '@nestjs/core';
import type { TokenScope } from './permissions/token-scope.js';

/** What a token is for: requests within its scopes, or the calendar of its endeavour. */
export const TOKEN_KINDS = ['access', 'calendar'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The scopes of every calendar token; only the calendar operation accepts such tokens. */
export const CALENDAR_SCOPES: readonly TokenScope[] = ['endeavours:read'];

/** Marks a handler that accepts a calendar token in the query parameter `token`: calendar programs send no headers. */
export const AcceptsCalendarToken = Reflector.createDecorator<true>();

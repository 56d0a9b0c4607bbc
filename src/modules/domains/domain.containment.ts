import type { Erasing } from '../../platform/containment/erasing.js';

export const domainErasing: Erasing = { kind: 'domain', table: 'domains' };

/** The result of one check. */
export interface DoctorFinding {
  state: 'ok' | 'warning' | 'fault';
  /** A sentence; for a problem, also the remedy. */
  text: string;
}

export const ok = (text: string): DoctorFinding => ({ state: 'ok', text });
export const warning = (text: string): DoctorFinding => ({ state: 'warning', text });
export const fault = (text: string): DoctorFinding => ({ state: 'fault', text });

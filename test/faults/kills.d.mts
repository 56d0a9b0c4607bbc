export interface Figure {
  figure: string;
  reached: string | number;
  bar: string | number;
  passed: boolean;
}
export function run(options: { full: boolean; rounds?: number; say: (line: string) => void }): Promise<Figure[]>;

/** The answer without a result: `{"data": null}`. */
export class Nothing {}

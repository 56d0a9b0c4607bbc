/** The response without a result: `{"data": null}`. */
export class Nothing {}

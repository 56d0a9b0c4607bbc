/** The answer that there is nothing to give: `{"data": null}`. */
export class Nothing {}

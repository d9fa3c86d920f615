/** To three digits: more are not the same in two runs on one machine. */
export const rounded = (value: number) => Number(value.toPrecision(3));

/** Of a field for a whole number. */
export const whole = { allowDecimal: false, hideControls: true, valueIsNumericString: true } as const;

/** The owner that the API key of a printer is sealed for. */
export const apiKeyOwner = (printerId: number) => `printer_api_key:${printerId}`;

/** The owners that URL and secret of a destination are sealed for. */
export const urlOwner = (webhookId: number) => `notification_url:${webhookId}`;
export const notificationSecretOwner = (webhookId: number) => `notification_secret:${webhookId}`;

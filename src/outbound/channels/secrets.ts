/** The owner that a channel's secret is sealed for; it stays the same after a rotation. */
export const channelSecretOwner = (channelId: string) => `channel_secret:${channelId}`;

import { resealSecrets } from "../activities/maintenance/encryption-key.js";
import { keyId } from "../src/auth/sealed.js";
import { configOrExit } from "../src/platform/config/config.js";
import { connect, disconnect } from "../src/platform/db/db.js";
import { reachedOrExit } from "../src/platform/db/reach.js";

/**
 * `npm run rotate-encryption-key`: encrypts all stored secrets with SERVICE_ENCRYPTION_KEY that are still encrypted
 * with one of SERVICE_ENCRYPTION_KEYS_PREVIOUS. Exits with 1 and names those that it could not decrypt.
 */
const config = configOrExit("rotate");
await reachedOrExit(config);
connect(config.databaseUrl, 1);
const { webhook_secrets, webhook_keys, channel_secrets, notification_urls, unreadable, ...others } =
  await resealSecrets(config).finally(disconnect);
const { connector_credentials, printer_keys, carrier_accounts, authenticator_apps, kept_answers } = others;
console.log(
  `Encryption key ${keyId(config.encryptionKey)}: sealed ${webhook_secrets} webhook secrets, ` +
    `${webhook_keys} webhook keys, ${channel_secrets} channel secrets, ` +
    `${notification_urls} notification URLs and secrets, ` +
    `${connector_credentials} connector credentials, ${printer_keys} API keys of printers, ` +
    `${carrier_accounts} carrier accounts, ${authenticator_apps} authenticator apps, ` +
    `and ${kept_answers} kept answers anew.`,
);
if (unreadable.length === 0) console.log("All stored secrets are sealed under it.");
for (const why of unreadable) console.error(`Not sealed anew: ${why}.`);
process.exitCode = unreadable.length > 0 ? 1 : 0;

import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";

const reasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "it is a file",
};

/**
 * Creates the data folder if it does not exist, and returns its real path. Throws what to do when it cannot be written.
 */
export function makeDataFolder(dataDir: string): string {
  try {
    // Postgres may run as another user, which needs access to the folder; the files in it are for the owner alone.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.W_OK);
    return realpathSync(dataDir);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data folder ${dataDir} cannot be used: ${reasons[code] ?? message}. Open it to this user ` +
        "(chown, chmod), or choose another one: SERVICE_DATA_DIR=/path/to/folder npm start",
    );
  }
}

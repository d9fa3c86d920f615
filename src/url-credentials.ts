/** The user info of a URL: the text between the slashes and the last @ before the path. */
const USER_INFO = /([\\/]{2})[^\\/?#\s]*@/g;

/** Whether a URL has a user name or a password, which would be visible wherever the URL is. */
export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** The text with the user names and passwords of URLs replaced by ***. */
const withoutCredentials = (text: string): string => (text.includes("@") ? text.replace(USER_INFO, "$1***@") : text);

/** For `JSON.stringify`: does the same with every text of the value. */
export const hidingCredentials = (_: string, value: unknown): unknown =>
  typeof value === "string" ? withoutCredentials(value) : value;

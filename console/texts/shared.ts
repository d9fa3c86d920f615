/** A text in both languages; `{name}` stands for a value. */
export type Text = readonly [en: string, de: string];
export type Texts = Record<string, Text>;

/** What both applications say everywhere. */
export const shared = {
  actions: ["Actions", "Aktionen"],
  all: ["All", "Alle"],
  back: ["Back", "Zurück"],
  bin: ["Bin", "Platz"],
  cancel: ["Cancel", "Abbrechen"],
  changePassword: ["Change password", "Passwort ändern"],
  close: ["Close", "Schließen"],
  create: ["Create", "Anlegen"],
  created: ["Created", "Angelegt"],
  currentPassword: ["Current password", "Bisheriges Passwort"],
  language: ["Language", "Sprache"],
  loading: ["Loading…", "Lädt…"],
  lot: ["Lot", "Charge"],
  mustChangePassword: [
    "Your password has to be changed before you can go on.",
    "Bevor es weitergeht, muss das Passwort geändert werden.",
  ],
  name: ["Name", "Name"],
  newPassword: ["New password", "Neues Passwort"],
  password: ["Password", "Passwort"],
  replace: ["Replace", "Ersetzen"],
  save: ["Save", "Speichern"],
  signIn: ["Sign in", "Anmelden"],
  signOut: ["Sign out", "Abmelden"],
  sku: ["SKU", "SKU"],
  status: ["Status", "Status"],
  tryAgain: ["Try again", "Noch einmal versuchen"],
  username: ["Username", "Benutzername"],
  warehouse: ["Warehouse", "Lager"],
} as const satisfies Texts;

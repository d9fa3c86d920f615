/** A value that this browser keeps. */
export function kept<T>(name: string, otherwise: T) {
  return {
    get(): T {
      const text = localStorage.getItem(name);
      return text === null ? otherwise : (JSON.parse(text) as T);
    },
    set(value: T): void {
      localStorage.setItem(name, JSON.stringify(value));
    },
  };
}

/** Two streams of the same numbers, at any distance from each other: what both have had is forgotten. */
export class Matching {
  #awaited: number[] = [];
  #came: number[] = [];
  #newest = 0;
  matched = 0;
  duplicates = 0;
  /** The first numbers that were not what the other stream says. */
  readonly faults: string[] = [];

  /** The stream that is known to be whole. */
  await(id: number): void {
    this.#awaited.push(id);
    this.#match();
  }

  /** The other one. A number up to the newest that came is a repeat; had it been left out, the match shows it. */
  came(id: number): void {
    if (id <= this.#newest) {
      this.duplicates++;
      return;
    }
    this.#newest = id;
    this.#came.push(id);
    this.#match();
  }

  get missing(): number {
    return this.#awaited.length;
  }

  get unannounced(): number {
    return this.#came.length;
  }

  #match(): void {
    while (this.#awaited.length > 0 && this.#came.length > 0) {
      const [awaited, came] = [this.#awaited[0] as number, this.#came[0] as number];
      if (awaited === came) this.matched++;
      else this.#fault(`event ${came} came in the place of ${awaited}`);
      if (awaited <= came) this.#awaited.shift();
      if (came <= awaited) this.#came.shift();
    }
  }

  #fault(text: string): void {
    if (this.faults.length < 20) this.faults.push(text);
  }
}

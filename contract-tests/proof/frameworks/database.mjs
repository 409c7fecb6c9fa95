// SQLite, where a team would use it. sql.js is SQLite itself, compiled so that it needs no build.
import initSqlJs from 'sql.js';

const { Database } = await initSqlJs();

export const openDatabase = (schema) => {
  const database = new Database();
  database.run(schema);
  const select = (sql, values) => {
    const statement = database.prepare(sql, values);
    try {
      const rows = [];
      while (statement.step()) rows.push(statement.getAsObject());
      return rows;
    } finally {
      statement.free();
    }
  };
  return {
    all: (sql, values = []) => select(sql, values),
    get: (sql, values = []) => select(sql, values)[0],
    /** The number of rows that changed. */
    run: (sql, values = []) => {
      database.run(sql, values);
      return database.getRowsModified();
    },
    close: () => database.close(),
  };
};

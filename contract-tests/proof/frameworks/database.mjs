// Leads in SQLite, where a team would use it. sql.js is SQLite itself, compiled so that it needs no build.
import initSqlJs from 'sql.js';

const { Database } = await initSqlJs();

/** @param lead_id how the column of the ids is declared: with integers, the database counts */
export const openLeads = (lead_id) => {
  const database = new Database();
  database.run(`CREATE TABLE leads (
    lead_id ${lead_id}, name, source, note, created_at TEXT NOT NULL, updated_at TEXT NOT NULL)`);
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
  const columns = 'CAST(lead_id AS TEXT) AS lead_id, name, source, note';
  return {
    list: () => select(`SELECT ${columns}, created_at FROM leads`),
    find: (id) => select(`SELECT ${columns}, created_at FROM leads WHERE lead_id = ?`, [id])[0],
    add: (lead) => {
      const { lead_id: id = null, name, source, note } = lead;
      const now = new Date().toISOString();
      const values = [id, name, source, note, now, now];
      return select(
        `INSERT INTO leads VALUES (?, ?, ?, ?, ?, ?) RETURNING ${columns}, created_at`,
        values,
      )[0];
    },
    update: (id, { name, source, note }) => {
      const values = [name, source, note, new Date().toISOString(), id];
      const change = 'UPDATE leads SET name = ?, source = ?, note = ?, updated_at = ? WHERE lead_id = ?';
      return select(`${change} RETURNING ${columns}, updated_at`, values)[0];
    },
    remove: (id) => database.run('DELETE FROM leads WHERE lead_id = ?', [id]),
    count: () => select('SELECT count(*) AS count FROM leads')[0].count,
  };
};

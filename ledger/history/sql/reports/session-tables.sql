-- The tables of a session, in the order in which they were opened.
-- parameters: session
SELECT table_name FROM tables WHERE session = $session ORDER BY first_position;

-- Which version of a result goes on is told by the versions of its object, also after the look at it.
alter table reviews drop column outputs;
